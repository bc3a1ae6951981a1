/** One page of a list that is in memory, with what the wire says of all pages. */
export const pageOf = <Item>(items: readonly Item[], { page, pageSize }: { readonly page: number; readonly pageSize: number }) => ({
  items: items.slice((page - 1) * pageSize, page * pageSize),
  page,
  pageSize,
  total: items.length,
});

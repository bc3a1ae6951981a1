/** How much one account keeps of each choice of its screens; apart from the schemas, for the first page loads this too. */
export const VIEW_LIMITS = {
  favourites: 500,
  watchlists: 20,
  watchlistPairs: 200,
  chartIndicators: 50,
  pricesColumns: 50,
  recentItems: 50,
  dismissedSteps: 20,
} as const;
/** Characters of one name in them: a symbol, a column, an indicator. */
export const LONGEST_NAME = 80;
/** Characters of what somebody calls a list of pairs. */
export const LONGEST_WATCHLIST_NAME = 40;

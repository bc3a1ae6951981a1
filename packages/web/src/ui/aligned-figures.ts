/** For a grid of named figures: they stand on one line also where the name of one takes two. */
export const ALIGNED_FIGURES = { '& > *': { display: 'grid', gridTemplateRows: 'subgrid', gridRow: 'span 2', rowGap: '0' } } as const;

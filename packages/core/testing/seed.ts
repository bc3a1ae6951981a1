/** The seed of property tests in this run: always the same one, unless `PILOTFISH_SEED` says otherwise. */
export const seedOfRun = (environment: NodeJS.ProcessEnv = process.env): number => Number(environment.PILOTFISH_SEED ?? 20_261_123);

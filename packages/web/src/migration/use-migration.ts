import { useQuery } from '../platform/use-query.ts';

export const useMigration = () =>
  useQuery('migration', (client, _: null, signal) => client.getMigration(undefined, { signal, quiet: true }), null);
export type Gap = NonNullable<ReturnType<typeof useMigration>['data']>[number];

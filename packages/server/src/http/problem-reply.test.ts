import { isConnectivity } from '@pilotfish/core/http/problem';
import { expect, test } from 'vitest';
import { LeaseLostError } from '../database/server-lease.ts';
import { foreseenError } from './problem-reply.ts';

test('a server that another one has taken over from is on its way out: nobody is signed out by it, and asking again helps', () => {
  const error = foreseenError(new LeaseLostError('Another server has taken over this database.'));
  expect(error?.code).toBe('shutting-down');
  expect(isConnectivity(error)).toBe(true);
});

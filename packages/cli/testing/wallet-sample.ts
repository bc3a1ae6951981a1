/** A paper wallet as the server answers it. */
export const WALLET = {
  id: '01a1fc3a-46e6-72f7-a393-a88a45a667dc',
  name: 'Main',
  currency: 'USDT',
  mode: 'paper',
  reservePct: '1',
  status: 'Ready',
  free: '4999.5',
  reserved: '0',
  invested: '0',
  realised: '-0.5',
  deposits: '5000',
  withdrawals: '0',
  createdAt: '2026-11-21T03:00:00.000Z',
  makerFeePct: '0.075',
  takerFeePct: '0.1',
  latencyMs: 150,
};

import { useConfig } from '../app/use-session.ts';

/** Whose money bots and wallets of a mode move: play money, that of a simulated or test exchange, or real money. */
export function useMoney(): (mode: 'paper' | 'live') => 'paper' | 'test' | 'live' {
  const config = useConfig();
  // Until it is known which exchange this is, it is the one where mistakes cost something.
  const isTest = config !== undefined && config.exchange !== 'binance';
  return (mode) => (mode === 'live' && isTest ? 'test' : mode);
}

import { currencyIconPath } from '@pilotfish/core/prices/currency';
import { BASE } from '../platform/base-path.ts';

/** The picture of a currency before its name, as tall as that text (`app.css`), and so without a word of its own. */
export const CoinIcon = ({ code }: { code: string }) => (
  <img className="coin-icon" src={BASE + currencyIconPath(code)} alt="" loading="lazy" />
);

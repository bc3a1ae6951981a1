/**
 * What kind of asset each code is, by hand. An asset may be several things; one that is not here has no tags. Kept as
 * lists of words, because that is how it is read and mended.
 */
const ASSETS = {
  stablecoin:
    'USDT USDC FDUSD TUSD DAI BUSD USDP PAX USDS USDE USD1 PYUSD RLUSD GUSD SUSD LUSD FRAX USDD UST USTC XUSD BFUSD EURI AEUR EURC U IDRT BIDR BVND VAI MIM USDSB USDX',
  fiat: 'EUR GBP AUD TRY BRL RUB UAH NGN ZAR PLN RON ARS JPY MXN COP CZK IDR AED SAR KZT CHF CAD VND BKRW',
  'layer-1':
    'BTC ETH BNB SOL XRP ADA AVAX DOT TRX TON NEAR ATOM SUI APT ICP HBAR ALGO XLM LTC BCH ETC EOS A XTZ EGLD FLOW MINA KAVA ONE ZIL QTUM NEO ICX WAVES VET IOTA KSM SEI INJ TIA CELO ROSE CFX KDA FTM S BERA HYPE KAS RVN DGB IOST ONT LSK WAN NULS ARK STEEM HIVE CKB XEC FLUX GLMR MOVR ASTR ACA KLAY KAIA RON CORE DYM ZETA SAGA INIT LAYER IP STRAX SYS XEM LUNA LUNC BTG BSV DCR ZEN SCRT CSPR XDC AR FIL THETA GAS ONG QKC AION NAS REI VANRY XPL 0G MON SOMI',
  'layer-2':
    'POL MATIC ARB OP STRK ZK MANTA IMX METIS LRC BOBA CTSI SKL CELR MNT BLAST SCR TAIKO LINEA ZKJ MOVE STX RIF B2 ALT OMG CYBER ERA MERL BB',
  meme: 'DOGE SHIB PEPE FLOKI BONK WIF BOME MEME 1000SATS ORDI RATS 1000RATS TURBO NEIRO PEOPLE DOGS PNUT ACT CATI HMSTR MEW BRETT POPCAT 1MBABYDOGE 1000CAT 1000CHEEMS BANANA MUBARAK BROCCOLI714 TUT TST PENGU TRUMP MELANIA FARTCOIN GOAT MOODENG LUNC ELON SPX CHILLGUY KOMA PUMP SNEK TOSHI MYRO WEN SLERF',
  defi: 'UNI AAVE MKR SKY COMP CRV SNX SUSHI YFI 1INCH LDO CAKE DYDX GMX BAL KNC ZRX BNT REN RUNE JUP RAY JTO PENDLE ENA CVX FXS SPELL ALPHA ALPACA BEL BIFI BURGER AUTO BAKE XVS FOR LINA WOO PERP RDNT JOE LQTY LISTA ETHFI EIGEN REZ ONDO COW MORPHO USUAL ORCA THE VELODROME VELO AERO SYRUP KMNO DRIFT CETUS NAVX HAEDAL BABY SOLV RESOLV HUMA SPK BANK HYPER TREE SUN JST QUICK DODO CREAM UNFI TRU IDLE BADGER FARM HEGIC WING DF COS MLN REP GNS OSMO ASR AVNT WLFI MAV HFT ID',
  ai: 'FET AGIX OCEAN RENDER RNDR TAO WLD AI ARKM NMR NFP PHB AIXBT CGPT VIRTUAL GRT NEAR IO AGI ALI PAAL ZEREBRO GRIFFAIN SWARMS COOKIE KAITO GRASS SAHARA NEWT AIOT BIO IQ CTXC VANA PROMPT FLOCK HOLO AVA ACT RLC LPT PHA THETA OG',
  gaming:
    'AXS SAND MANA GALA ENJ ILV YGG MAGIC PIXEL PORTAL XAI RONIN RON BEAMX ACE MBOX ALICE TLM SLP SUPER PYR HIGH VOXEL GHST DAR D GMT BIGTIME NOT CATI HMSTR CATIZEN APE TVK WAXP UFO GODS IMX MC PRIME VANRY BLUR DEGO CHR LOKA SIDUS EPIC HOOK FORM ANIME GUN SHELL FUN SIGN OGN',
  'exchange-token': 'BNB CRO OKB LEO GT KCS HT FTT WOO MX BGB WRX TKO BTR ASTER',
  'liquid-staking':
    'LDO STETH WSTETH WBETH BNSOL RPL ANKR JTO JITOSOL SSV SD LISTA CBETH RETH EZETH WEETH ETHFI REZ PUFFER SWELL SFRXETH FXS SOLV LBTC MSOL STSOL BETH',
  wrapped: 'WBTC WBETH BTCB WETH STETH WSTETH BNSOL BETH CBBTC RENBTC HBTC WBNB FBTC SOLVBTC PAXG XAUT',
  privacy: 'XMR ZEC DASH SCRT ZEN DCR FIRO BEAM ROSE XVG NAV PIVX ARRR GRIN MASK AZERO PHA NYM KEEP NU RAIL NIGHT',
  oracle: 'LINK BAND API3 TRB PYTH UMA DIA NEST ORAI RED SUPRA TRU POLYX',
  storage: 'FIL AR STORJ SC BTT BTTC HOT BLZ ANKR WAL CESS SHDW AIOZ LPT THETA TFUEL',
  payments: 'XRP XLM LTC BCH DASH NANO XNO DGB ACH COTI REQ AMP CELO UTK PUNDIX ALPINE MTL SXP XEC ALCX HBAR RVN TRX XVG VTHO FLEXA PYR',
  'fan-token': 'CHZ PSG BAR JUV ACM ASR ATM CITY LAZIO PORTO SANTOS OG ALPINE AFC INTER GAL SPURS NAP',
  'real-world': 'ONDO POLYX PAXG XAUT OM TRU PENDLE USUAL CFG CPOOL RIO PLUME GFI SKY MKR MPL SYRUP CHEX DUSK',
  nft: 'APE BLUR SUPER RARE RARI ENJ CHR OGN ID PENGU ME LOOKS X2Y2 SUDO AUDIO AUCTION GHST FLOW WAXP MAGIC',
  infrastructure:
    'GRT LPT ANKR POKT API3 RLC ICP HNT IOTX JASMY DENT FLUX AKT RENDER IO ATH GLM W ZRO AXL LAYER SSV EIGEN STRK ALT DYM C98 CTK NKN OXT PHALA PHA QNT WAXL CELR SYN STG ACX ROUTER',
} as const satisfies Record<string, string>;

export type AssetTag = keyof typeof ASSETS;

/** Tags that come from the pair or the moment and not from the list. */
const DERIVED_TAGS = ['leveraged', 'new', 'stable-pair'] as const;

/** Every tag there is, in the order they are offered. */
export const TAGS: readonly string[] = [...Object.keys(ASSETS), ...DERIVED_TAGS];

const BY_ASSET = new Map<string, AssetTag[]>();
for (const [tag, codes] of Object.entries(ASSETS) as [AssetTag, string][])
  for (const code of new Set(codes.split(' '))) BY_ASSET.set(code, [...(BY_ASSET.get(code) ?? []), tag]);

/** Codes a tag is given to by its list; none for tags that come from the pair or the moment. */
export const assetsOfTag = (tag: string): readonly string[] =>
  Object.hasOwn(ASSETS, tag) ? [...new Set(ASSETS[tag as AssetTag].split(' '))].sort() : [];

/** What kind of asset a code is; nothing for unknown ones. */
export const tagsOfAsset = (code: string): readonly AssetTag[] => BY_ASSET.get(code) ?? [];

/** Coins that stand for money: pairs of two of them do not move. */
const isMoney = (code: string): boolean => tagsOfAsset(code).some((tag) => tag === 'stablecoin' || tag === 'fiat');
export const isStablePair = (base: string, quote: string): boolean => isMoney(base) && isMoney(quote);

type Listed = { readonly baseAsset: string; readonly quoteAsset: string };
/** Codes by the list of pairs they are of: the list is the same one until a pair changes. */
const LISTED = new WeakMap<readonly Listed[], ReadonlySet<string>>();

/**
 * What coin an asset of an account is. In Simple Earn the exchange calls a coin by its name with `LD` before it, and gives
 * it back one for one: LDBTC is BTC. A coin that is listed under such a name is itself: LDO. Wrapped coins (WBETH, BNSOL)
 * are worth something else than what is in them, and stay what they are.
 * @param pairs all that are known; without any every asset is itself
 */
export function coinNames(pairs: readonly Listed[]): (asset: string) => string {
  return (asset) => {
    if (!asset.startsWith('LD')) return asset;
    let listed = LISTED.get(pairs);
    if (!listed) {
      listed = new Set(pairs.flatMap(({ baseAsset, quoteAsset }) => [baseAsset, quoteAsset]));
      LISTED.set(pairs, listed);
    }
    const coin = asset.slice(2);
    return listed.has(coin) && !listed.has(asset) ? coin : asset;
  };
}

const LEVERAGED = /^(.{2,})(UP|DOWN|BULL|BEAR|[235][LS])$/u;
/**
 * BTCUP, ETHBEAR, ADA3L: tokens that borrow. JUP and SYRUP end alike, but no asset is called J or SYR.
 * @param isAsset whether a code is an asset of its own
 */
export function isLeveraged(code: string, isAsset: (code: string) => boolean): boolean {
  const stem = LEVERAGED.exec(code)?.[1];
  return stem !== undefined && !BY_ASSET.has(code) && (isAsset(stem) || BY_ASSET.has(stem));
}

const NEW_DAYS = 30;
const DAY = 86_400_000;

/**
 * Tags of a pair at a moment of market time.
 * @param listedAt ms of its first candle; NaN when not known, and then it is not new
 */
export function tagsOfPair(
  pair: { baseAsset: string; quoteAsset: string },
  listedAt: number,
  at: number,
  isAsset: (code: string) => boolean,
): readonly string[] {
  const tags: string[] = [...tagsOfAsset(pair.baseAsset)];
  if (isLeveraged(pair.baseAsset, isAsset)) tags.push('leveraged');
  if (at - listedAt < NEW_DAYS * DAY) tags.push('new');
  if (isStablePair(pair.baseAsset, pair.quoteAsset)) tags.push('stable-pair');
  return tags;
}

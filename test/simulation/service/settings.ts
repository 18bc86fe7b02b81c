/** The configured price of gas. */
export const GAS_PRICE = 0.025

/** Limits what nodes can make the wallet pay. The dearest message needs 1.25 million gas, or 1.9 million with the margin. */
export const CAPS = { maxMessageGas: 2_000_000, maxTransactionGas: 25_000_000, maxPriceFactor: 5 }

/** How the simulated service is configured. */
export const SETTINGS = {
  feeDenom: 'unit',
  gasPrice: String(GAS_PRICE),
  gasMultiplier: '1.5',
  ...CAPS,
  lookBackBlocks: 1000,
  /** Read before each signature, but never reached. */
  dailyFeeLimit: 10n ** 12n
}

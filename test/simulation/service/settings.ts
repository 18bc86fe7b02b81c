export const GAS_PRICE = 0.025

/**
 * Limits on what nodes can make the wallet pay. The most expensive message needs 1.25 million gas, 1.9 million with
 * margin.
 */
export const CAPS = { maxMessageGas: 2_000_000, maxTransactionGas: 25_000_000, maxPriceFactor: 5 }

export const SETTINGS = {
  feeDenom: 'unit',
  gasPrice: String(GAS_PRICE),
  gasMultiplier: '1.5',
  ...CAPS,
  lookBackBlocks: 1000,
  /** The engine checks this limit before each signature, but the limit is too high to be reached. */
  dailyFeeLimit: 10n ** 12n
}

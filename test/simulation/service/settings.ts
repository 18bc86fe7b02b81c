/** The configured price of gas. */
export const GAS_PRICE = 0.025

/** What nodes can make the wallet pay, and no more: the dearest message needs 1.25 million gas, with the margin 1.9 million. */
export const CAPS = { maxMessageGas: 2_000_000, maxTransactionGas: 25_000_000, maxPriceFactor: 5 }

/** How the simulated service is configured. */
export const SETTINGS = {
  feeDenom: 'unit',
  gasPrice: String(GAS_PRICE),
  gasMultiplier: '1.5',
  ...CAPS,
  lookBackBlocks: 1000,
  /** Read before each signature, and never reached. */
  dailyFeeLimit: 10n ** 12n
}

export const GAS_PRICE = 0.025

/**
 * Limits on what nodes can make the wallet pay. The most expensive message needs 1.25 million gas, 1.9 million with
 * margin.
 */
export const CAPS = { maxMessageGas: 2_000_000, maxTransactionGas: 25_000_000, maxPriceFactor: 5 }

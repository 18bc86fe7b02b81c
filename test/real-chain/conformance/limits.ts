/** Small, so that a conversation can fill it. */
export const MEMPOOL_SIZE = 20

/** The lowest gas price that the nodes accept, in the fee denomination. */
export const GAS_PRICE = '0.025'

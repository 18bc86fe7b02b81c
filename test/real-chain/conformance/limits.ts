/** Small, so that a conversation can fill it between two blocks. */
export const MEMPOOL_SIZE = 6

/** The lowest gas price that the nodes accept, in the fee denomination. */
export const GAS_PRICE = '0.025'

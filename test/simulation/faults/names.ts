/** Faults of single calls. */
export const CALL_FAULTS = {
  crash: 'the process dies before or after any call to the store, the chain or the wallet',
  'lost-answer': 'a call, or its answer, is lost',
  'late-request': 'a broadcast arrives long after the engine has given up on it',
  duplicate: 'a broadcast arrives twice, the second time late',
  'silent-drop': 'a node answers code 0 and loses the transaction',
  'stale-cache': 'a node loses a transaction but keeps its hash in the cache',
  'store-fails': 'a write to the store fails'
} as const

/** Faults that last for a while. */
export const LASTING_FAULTS = {
  restart: 'the service is shut down and started again',
  'node-down': 'a node does not answer',
  'node-lags': 'a node reads no new blocks',
  'node-isolated': 'a node exchanges no transactions with the others',
  'node-restart': 'a node restarts with an empty mempool',
  'mempool-full': 'a node takes no transactions',
  eviction: 'a node evicts a pending transaction',
  'no-simulation': 'a node answers no simulations',
  'fee-raised': 'a node asks for higher fees from now on',
  'no-funds': 'the wallet has no funds',
  'not-whitelisted': 'the wallet is not whitelisted',
  'foreign-waiting': 'another program sends a transaction of the same wallet',
  'foreign-in-block': 'a block holds a transaction of the same wallet that was in no mempool',
  'blocks-halt': 'no blocks are made',
  'blocks-shuffled': 'blocks hold their transactions in another order',
  deaf: 'the engine gets no notice of new blocks',
  'store-down': 'the store can neither be read nor written'
} as const

export type CallFault = keyof typeof CALL_FAULTS
export type LastingFault = keyof typeof LASTING_FAULTS
export type Fault = CallFault | LastingFault

export const FAULTS = Object.keys({ ...CALL_FAULTS, ...LASTING_FAULTS }) as Fault[]

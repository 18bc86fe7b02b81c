/** Faults of single calls. */
export const CALL_FAULTS = {
  crash: 'the process dies before or after any call to the store, the chain or the wallet',
  'lost-answer': 'a call or its response is lost',
  'late-request': 'a broadcast arrives long after the engine has stopped waiting for it',
  duplicate: 'a broadcast arrives twice, the second time late',
  'silent-drop': 'a node responds with code 0 and loses the transaction',
  'stale-cache': 'a node loses a transaction but keeps its hash in the cache',
  'absurd-gas': 'a simulation reports far more gas than a block has, at most one of three',
  'store-fails': 'a write to the store fails',
  'store-uncertain': 'the connection to the store breaks during a commit, which may or may not succeed',
  'lock-lost': 'the leader loses its lock during any call, and learns of it immediately, late or never',
  'notification-lost': 'a replica misses a notification of the store'
} as const

/** Faults that last for a while. */
export const LASTING_FAULTS = {
  restart: 'a replica is shut down and started again',
  pause: 'a replica is paused while its calls go on, and loses its lock',
  'cut-off': 'a replica reaches no node from now on, while another one does',
  'node-down': 'a node does not respond',
  'node-lags': 'a node reads no new blocks',
  'node-frozen': 'a node never reads new blocks again, while another one does',
  'node-pruned': 'a node keeps only its newest blocks from now on, while another one keeps all',
  'node-elsewhere': 'a node follows another chain or a fork from now on, while another one does not',
  'results-late': 'a node has the results of its blocks late',
  'nonsense-status': 'a node reports a wrong height, block time or lowest block',
  'node-isolated': 'a node exchanges no transactions with the others',
  'node-restart': 'a node restarts with an empty mempool',
  'mempool-full': 'a node accepts no transactions',
  eviction: 'a node evicts a pending transaction',
  'no-simulation': 'a node responds to no simulations',
  'slow-simulation': 'from now on a node takes longer for each message of a simulation',
  'too-much-gas': 'simulations at a node report up to ten times the gas',
  'too-little-gas': 'simulations at a node report a fraction of the gas, or none',
  'out-of-gas-lies': 'a node refuses transactions as out of gas, whatever gas they have',
  'passing-refusals': 'a node refuses transactions for temporary causes, such as a full mempool',
  'module-paused': 'the chain refuses every request of every wallet',
  'fee-raised': 'a node asks for higher fees from now on',
  'fee-creeps': 'a node asks for a little more than each fee that it is offered',
  'fee-absurd': 'a node requires several times the usual fee, up to a billion times',
  'block-limit-lies':
    'a node reports a wrong limit of the gas or the bytes of blocks, while the others do not',
  'huge-gas-by-index':
    'a node refuses messages by their index and then reports huge gas, while the others do not',
  'account-lies':
    'a node reports another sequence or number of the wallet from the first start on, while the others do not',
  'no-funds': 'the wallet has no funds',
  'not-whitelisted': 'the wallet is not whitelisted',
  'foreign-waiting': 'another program sends a transaction of the same wallet',
  'foreign-in-block': 'a block contains a transaction of the same wallet that was in no mempool',
  'unordered-in-block': 'a block contains an unordered transaction of the wallet, which consumes no sequence',
  'failed-early-in-block': 'a block contains a transaction of the wallet that failed in the ante handler',
  'misreported-in-block': 'an event reports a sequence of the wallet that is not the next one',
  'clock-step': 'the wall clock jumps by up to minutes',
  'blocks-halt': 'no blocks are produced',
  'blocks-shuffled': 'blocks contain their transactions in another order',
  deaf: 'the engine is not notified of new blocks',
  'store-down': 'the store can neither be read nor written',
  'store-set-back': 'the service is killed, and starts with an older copy of its store, or with an empty one'
} as const

export type CallFault = keyof typeof CALL_FAULTS
export type LastingFault = keyof typeof LASTING_FAULTS
export type Fault = CallFault | LastingFault

export const FAULTS = Object.keys({ ...CALL_FAULTS, ...LASTING_FAULTS }) as Fault[]

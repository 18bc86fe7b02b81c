export const CALL_FAULTS = {
  crash: 'the process dies before or after any call to the store, the chain or the wallet',
  'lost-answer': 'a call or its response is lost',
  'late-request': 'a broadcast arrives long after the engine has timed out',
  duplicate: 'a broadcast arrives twice, the second time late',
  'silent-drop': 'a node responds with code 0 and loses the transaction',
  'stale-cache': 'a node loses a transaction but keeps its hash in the cache',
  'absurd-gas': 'at most one in three simulations reports far more gas than a block has',
  'store-fails': 'a write to the store fails',
  'store-uncertain': 'the connection to the store breaks during a commit, which may or may not succeed',
  'lock-lost': 'the leader loses its lock during any call, and is notified immediately, late or never',
  'notification-lost': 'a replica misses a notification from the store'
} as const

export const LASTING_FAULTS = {
  restart: 'a replica is shut down and restarted',
  pause: 'a replica pauses and loses its lock, while its pending calls complete',
  'cut-off': 'one replica permanently loses contact with all nodes, while another keeps it',
  'node-down': 'a node does not respond',
  'node-lags': 'a node reads no new blocks for a while',
  'node-frozen': 'a node permanently stops reading blocks, while another one continues',
  'node-pruned': 'a node starts to keep only its newest blocks, while another one keeps all',
  'node-elsewhere': 'a node switches to another chain or a fork, while another one does not',
  'results-late': 'the results of blocks become available late at a node',
  'nonsense-status': 'a node reports a wrong height, block time or lowest block',
  'node-isolated': 'a node exchanges no transactions with the others',
  'node-restart': 'a node restarts with an empty mempool',
  'mempool-full': 'a node accepts no transactions',
  eviction: 'a node evicts a pending transaction',
  'no-simulation': 'simulations fail at a node',
  'slow-simulation': 'simulations at a node permanently take longer per message',
  'too-much-gas': 'simulations at a node report up to ten times the real gas',
  'too-little-gas': 'simulations at a node report a fraction of the real gas, or none',
  'out-of-gas-lies': 'a node rejects transactions as out of gas regardless of their gas limit',
  'passing-refusals': 'a node rejects transactions for temporary reasons, such as a full mempool',
  'module-paused': 'the chain rejects every request from every wallet',
  'fee-raised': 'a node permanently raises its minimum fee',
  'fee-creeps': 'a node always requires slightly more than the fee offered',
  'fee-absurd': 'a node requires several times the usual fee, up to a billion times',
  'block-limit-lies': 'a node reports a wrong block gas or block size limit, while the others do not',
  'huge-gas-by-index': 'a node rejects messages by index and then reports huge gas, while the others do not',
  'account-lies':
    'from the first start, a node reports a wrong sequence or account number for the wallet, while the others do not',
  'gas-ceiling': 'a node rejects transactions that request more than some gas',
  'transfers-forbidden': 'the chain rejects transfers of coins from the wallet',
  'no-funds': 'the wallet has no funds',
  'not-whitelisted': 'the wallet is not whitelisted',
  'foreign-waiting': 'another program sends a transaction from the same wallet',
  'foreign-in-block': 'a block contains a transaction from the same wallet that was in no mempool',
  'unordered-in-block':
    'a block contains an unordered transaction from the wallet, which consumes no sequence',
  'failed-early-in-block': 'a block contains a transaction from the wallet that failed in the ante handler',
  'misreported-in-block': 'an event of a foreign wallet reports a sequence of this one',
  'clock-step': 'the wall clock jumps, by several minutes at most',
  'blocks-halt': 'no blocks are produced',
  'blocks-shuffled': 'blocks reorder transactions',
  deaf: 'the engine is not notified of new blocks',
  'store-down': 'reads and writes of the store fail',
  'store-set-back': 'the service is killed and restarts with an older copy of its store, or an empty store'
} as const

export type CallFault = keyof typeof CALL_FAULTS
export type LastingFault = keyof typeof LASTING_FAULTS
export type Fault = CallFault | LastingFault

export const FAULTS = Object.keys({ ...CALL_FAULTS, ...LASTING_FAULTS }) as Fault[]

import { BLOCKER_KINDS, type BlockerKind } from '../contract.ts'

/** How a blocker ends, once its cause is gone. */
export const ENDS = {
  step: 'The next attempt that succeeds',
  lookedBack: 'The end of the look-back',
  block: 'The next block that follows the store’s last one',
  caughtUp: 'The last block that a node had at the start, or that nodes have',
  control: 'A passing simulation of the control message (every 2 s) or of a submission',
  accepted: 'A transaction that a node accepts, or that a block contains',
  resolved: 'A block with one of the wallet’s transactions',
  signature: 'The next signature, or an empty queue',
  gas: 'A simulation with normal gas, or the next signature',
  check: 'The next check, at most 30 seconds later',
  restart: 'A restart with a sound store',
  verified: 'A later comparison without the difference, or a restart',
  time: 'An hour in which it does not happen again'
} as const

export type EndOfBlocker = keyof typeof ENDS

export interface BlockerRule {
  /** The check of `/ready` that fails; undefined for a notice, which only appears in the detail of `engine`. */
  check: 'signer' | 'engine' | undefined
  raised: string
  ends: EndOfBlocker
  /** The action for the operator of the service. */
  action: string
  /** The error that clients get while the blocker closes intake (interface 6.28). The reason is logged. */
  closes?: {
    code: 'INTAKE_CLOSED' | 'WALLET_NOT_WHITELISTED' | 'DAILY_FEE_LIMIT'
    reason?: string
  }
  /** Nothing is signed or sent, because earlier transactions or their results could not be read. */
  halts?: true
  /** Executed requests may be missing from the store, so no check may reject a submission permanently (interface 7.23). */
  isIncomplete?: true
  /** Happens in normal operation. */
  isNormal?: true
  /** The name of the error that raises it when a worker fails. */
  error?: string
  /** Raised only if the worker keeps failing: a single lost response changes nothing. */
  isGradual?: true
}

const closed = (reason: string) => ({ code: 'INTAKE_CLOSED' as const, reason })

/** Every condition that keeps the engine from executing submissions, and notices. */
export const BLOCKERS: Record<BlockerKind, BlockerRule> = {
  'wallet-unknown': {
    check: 'signer',
    raised:
      'The wallet has no account on the chain, because it has never received funds, or the prefix is wrong.',
    ends: 'step',
    action:
      'Send funds for fees to the address in the log. If it is not yours, correct the phrase, SERVICE_BRAND or SERVICE_SIGNER_ADDRESS and restart.',
    error: 'WalletUnknownError'
  },
  'account-unsupported': {
    check: 'signer',
    raised: 'The chain stores the wallet’s account as a type that this service cannot read.',
    ends: 'step',
    action: 'Use a wallet whose account is a plain or a vesting one; the type is in the log.',
    error: 'UnsupportedAccountError'
  },
  'wallet-not-whitelisted': {
    check: 'signer',
    raised: 'The chain refuses this wallet’s requests.',
    ends: 'control',
    action: 'Have the chain’s operator whitelist the address in the log line "engine ready".',
    closes: { code: 'WALLET_NOT_WHITELISTED' }
  },
  'signer-unavailable': {
    check: 'signer',
    raised: 'The signer is down, too slow or throttled, has lost a permission, or uses another key.',
    ends: 'signature',
    action: 'Check the key service: its state, quota, permissions and network.'
  },
  'insufficient-funds': {
    check: 'signer',
    raised: 'The wallet cannot pay its fees.',
    ends: 'accepted',
    action: 'Send it funds. If it has funds, correct the denomination in SERVICE_GAS_PRICE and restart.'
  },
  'fee-too-high': {
    check: 'signer',
    raised: 'A node requires a higher fee than the limit, or another denomination.',
    ends: 'accepted',
    action:
      'Correct SERVICE_GAS_PRICE or its denomination and restart, or replace the node if others require less.'
  },
  'price-refused': {
    check: 'signer',
    raised:
      'By their own configuration, the nodes refuse every fee in the denomination of SERVICE_GAS_PRICE, or up to the limit.',
    ends: 'check',
    action:
      'Correct SERVICE_GAS_PRICE or its denomination and restart; the log has the prices that the nodes require.',
    closes: closed('The RPC nodes refuse the fee of the service')
  },
  'daily-fee-limit': {
    check: 'signer',
    raised: 'The next transaction could exceed SERVICE_DAILY_FEE_LIMIT.',
    ends: 'signature',
    action: 'Find out why fees are so high. If it is regular business, raise the limit and restart.',
    closes: { code: 'DAILY_FEE_LIMIT' }
  },
  'signature-refused': {
    check: 'signer',
    raised:
      'The chain rejects the signature: transactions were signed for another chain id or account number.',
    ends: 'accepted',
    action: 'Check the chain id and the account in the log line "engine ready".'
  },
  'transactions-refused': {
    check: 'signer',
    raised: 'A node refuses the messages and also a transfer from the wallet to itself.',
    ends: 'accepted',
    action: 'Ask the chain’s operator for the cause of the refusal in the log. The server keeps trying both.'
  },
  'node-unreachable': {
    check: 'engine',
    raised: 'No RPC node gives a usable response.',
    ends: 'step',
    action: 'Check the URLs, the network and the nodes; the log has the last error.',
    error: 'NodeUnavailableError',
    isGradual: true
  },
  'looking-back': {
    check: 'engine',
    raised:
      'The store is empty but the wallet has sent transactions: the server reads them from past blocks.',
    ends: 'lookedBack',
    action: 'Wait a few minutes. If the check keeps failing, the nodes fail or contradict each other.',
    closes: closed('The service is still reading its past transactions'),
    isIncomplete: true,
    isNormal: true
  },
  'catching-up': {
    check: 'engine',
    raised: 'The server reads the blocks that it missed before its start.',
    ends: 'caughtUp',
    action: 'Wait. If it takes longer than minutes, the nodes or the store are too slow.',
    closes: closed('The service is still reading the latest blocks'),
    isIncomplete: true,
    isNormal: true
  },
  'foreign-chain': {
    check: 'engine',
    raised: 'The node has another chain or history than the store.',
    ends: 'block',
    action: 'Check the URLs of the nodes. A new chain needs a new store.',
    closes: closed('The RPC node is on another chain'),
    halts: true,
    error: 'ForeignChainError'
  },
  'history-pruned': {
    check: 'engine',
    raised: 'No node has the next block any more.',
    ends: 'block',
    action: 'Add a node that still has the block in the log.',
    closes: closed('No RPC node has the blocks that the service must read'),
    halts: true,
    error: 'HistoryPrunedError'
  },
  'results-unreadable': {
    check: 'engine',
    raised: 'The nodes have the next block, but not its results, for example since an upgrade.',
    ends: 'block',
    action:
      'Add a node that has the results of the block in the log, such as one that was not upgraded in place.',
    closes: closed('No RPC node has the results that the service must read'),
    halts: true,
    error: 'ResultsUnreadableError',
    isGradual: true
  },
  'nodes-disagree': {
    check: 'engine',
    raised: 'RPC nodes contradict each other, or too few respond to confirm what cannot be undone.',
    ends: 'block',
    action:
      'Compare the nodes in the log with one that you trust, remove the wrong one from SERVICE_BACKEND_NODE_PROVIDER, and restart.',
    closes: closed('The RPC nodes disagree'),
    halts: true,
    error: 'NodesDisagreeError'
  },
  'unknown-transactions': {
    check: 'engine',
    raised: 'A mempool has a transaction of the wallet that the store does not know.',
    ends: 'check',
    action:
      'Wait for the next blocks. If the check keeps failing, look at the mempool of the node in the log: another program uses the wallet, or the store is an older copy.'
  },
  'sequence-differs': {
    check: 'engine',
    raised:
      'The account’s next sequence differs from the store’s: a node reported a wrong one, now or at the first start.',
    ends: 'check',
    action:
      'Compare the sequences in the log with a node that you trust. If you have only one node, add another: the store is corrected once two agree, or once a block proves it.'
  },
  'requests-refused': {
    check: 'engine',
    raised:
      'The chain refuses the control message, which it accepted before, for example because a module is paused. Submissions that pass simulation are still sent.',
    ends: 'control',
    action: 'Ask the chain’s operator. If an upgrade made the control message invalid, upgrade this service.'
  },
  'simulations-refused': {
    check: 'engine',
    raised: 'Nodes refuse every simulation, even of the control message, so no submission can be judged.',
    ends: 'control',
    action: 'Ask the operator of the nodes for the cause of the refusal in the log, or use other nodes.'
  },
  'gas-too-high': {
    check: 'engine',
    raised: 'Simulations report more gas than a transaction may request, even for the control message.',
    ends: 'gas',
    action: 'Compare the node in the log with another one, or add a second node.'
  },
  'transactions-ignored': {
    check: 'engine',
    raised: 'Nodes accept a transaction, but the blocks go on without it.',
    ends: 'resolved',
    action:
      'Add or use other nodes: the ones in the log do not forward transactions, or the chain is congested.'
  },
  'store-unavailable': {
    check: 'engine',
    raised: 'The store cannot be read or written.',
    ends: 'step',
    action: 'Check the disk or the database; the log has its error, such as SQLITE_FULL.',
    error: 'StoreUnavailableError',
    isGradual: true
  },
  'store-corrupt': {
    check: 'engine',
    raised: 'A stored row on which money depends is damaged.',
    ends: 'restart',
    action:
      'Find the cause, such as a failing disk. Then stop the servers, and restore the row in the log from a backup, or set it aside.',
    closes: closed('A row of the store is damaged'),
    halts: true,
    error: 'StoreCorruptError'
  },
  'internal-error': {
    check: 'engine',
    raised: 'A worker keeps failing for a reason that this service does not know.',
    ends: 'step',
    action: 'Save the log and report a bug.',
    isGradual: true
  },
  'executions-differ': {
    check: 'engine',
    raised:
      'The chain has executed a submission that the store has as open, rejected or executed elsewhere, or has not executed one that the store has as committed.',
    ends: 'verified',
    action:
      'Compare `transaction-back-end-submissions show ID` of the submissions in the log with a block explorer. If the chain is right, find out why before you restart.',
    closes: closed('The service is checking what the chain has executed')
  },
  'results-differ': {
    check: undefined,
    raised: 'The stored result of a submission differs from the one on the chain.',
    ends: 'verified',
    action:
      'Run `transaction-back-end-submissions verify --from HEIGHT` with the block in the log, then again with `--repair`.'
  },
  'verification-behind': {
    check: undefined,
    raised: 'Blocks older than an hour have not been compared with the store.',
    ends: 'check',
    action: 'Wait, if the server was stopped. Otherwise, no node returns the block in the log.',
    isNormal: true
  },
  'low-balance': {
    check: undefined,
    raised: 'The wallet’s balance is below SERVICE_DAILY_FEE_LIMIT.',
    ends: 'check',
    action: 'Send it funds.'
  },
  'fees-risen': {
    check: undefined,
    raised:
      'A message costs more than twice the usual gas, or nodes require more than twice SERVICE_GAS_PRICE.',
    ends: 'time',
    action: 'Compare the gas and the price that the nodes report, and replace a node that asks for too much.'
  },
  'wallet-shared': {
    check: undefined,
    raised: 'A block contains a transaction of the wallet that this store did not sign.',
    ends: 'time',
    action:
      'Stop the other program, or a second store, that uses the wallet. If there is none, the phrase has leaked: move the funds. A restored backup finds its own transactions.'
  }
}

const kindsWhere = (isMeant: (rule: BlockerRule) => boolean) =>
  BLOCKER_KINDS.filter(kind => isMeant(BLOCKERS[kind]))

export const kindsEndedBy = (end: EndOfBlocker) => kindsWhere(({ ends }) => ends === end)

/** The kinds during which nothing is signed or sent. */
export const HALTING = kindsWhere(({ halts }) => halts === true)

/** Returns the kind that a worker's error raises. */
export function blockerOf(error: unknown): BlockerKind {
  const name = error instanceof Error ? error.name : ''
  return BLOCKER_KINDS.find(kind => BLOCKERS[kind].error === name) ?? 'internal-error'
}

/** Returns whether an error means that blocks cannot be read here, while another replica's nodes may have them. */
export function isOfBlocks(error: unknown): boolean {
  const kind = blockerOf(error)
  return kind === 'node-unreachable' || BLOCKERS[kind].ends === 'block'
}

/** Returns the error that clients get while these blockers are present; undefined while intake is open. */
export function closing(present: readonly { kind: BlockerKind }[]): BlockerRule['closes'] {
  const kinds = present.map(({ kind }) => kind)
  const closing = BLOCKER_KINDS.find(kind => kinds.includes(kind) && BLOCKERS[kind].closes)
  return closing && BLOCKERS[closing].closes
}

/** Returns whether executed requests may be missing from the store. */
export const isIncomplete = (present: readonly { kind: BlockerKind }[]): boolean =>
  present.some(({ kind }) => BLOCKERS[kind].isIncomplete)

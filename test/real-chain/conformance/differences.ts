/** A difference between the devnet and a node that stays. The devnet's README lists the same. */
export interface Difference {
  /** Where it shows: `conversation/step.field`; `*` stands for any text. */
  readonly where: readonly string[]
  /** What differs and why, as the README says it. */
  readonly what: string
  /** The build that it is limited to. */
  readonly sdk?: '0.47' | '0.53'
}

/** Every entry must occur: one that does not fails the test. */
export const knownDifferences: readonly Difference[] = [
  {
    where: ['about the node/status*.node_info.*', 'about the node/abci_info*.data'],
    what: "The node's name, its addresses and the name of the application are the devnet's own."
  },
  {
    where: ['*.block_metas.*.block_size'],
    what: '`block_size` in `blockchain` is an estimate: the devnet does not encode blocks.'
  },
  {
    where: ['malformed requests/* /.body'],
    what: 'The page at `/` does not list `broadcast_evidence`, `consensus_state` and `dump_consensus_state`, which the devnet does not have.'
  },
  {
    where: ['queries/a path of the node, *'],
    what: 'ABCI queries below `/store`, `/app` and `/p2p` are unknown paths.'
  },
  {
    where: ['refusals/a body only.*.log', 'refusals/fee in a bad denomination.*.log'],
    what: 'Where the application of a node panics, the log of the transaction has a stack trace.'
  },
  {
    where: ['*bad query*.error.data'],
    what: 'A malformed event query is refused with the words of CometBFT 0.38 in both profiles.',
    sdk: '0.47'
  }
]

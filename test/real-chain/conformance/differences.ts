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
    where: ['about the node/status*.node_info.*', 'about the node/status*.voting_power'],
    what: "The node's name and its addresses are the devnet's own, and its validator has the power 1."
  },
  {
    where: ['*.consensus_params.evidence.*'],
    what: 'The parameters of evidence are those of a node by default, whatever the genesis has.'
  },
  {
    where: ['refusals/*no address.*.log'],
    what: 'What is no Bech32 is refused in the words of CosmJS.',
    sdk: '0.47'
  },
  {
    where: ['*.consensus_param_updates*', '*.version.app', '*.result_begin_block*', '*.result_end_block*'],
    what: 'What the application says of its own version, of consensus parameters and of empty blocks is left out.'
  },
  {
    where: ['*.consensus_params.abci*', '*_block_events', '*.app_hash', '*.data.value.num_txs'],
    what: 'With `--sdk 0.50` and `0.53` the node is that of CometBFT 0.37, too.',
    sdk: '0.53'
  },
  {
    where: [
      'refusals/*.log',
      'simulations/*.log',
      'failures in a block/*.log',
      'unordered transactions/*.log',
      'the mempool/*.error.data'
    ],
    what: 'With `--sdk 0.50` and `0.53` the texts of errors are those of SDK 0.47, with the same codes.',
    sdk: '0.53'
  },
  {
    where: ['queries/an account of another chain*'],
    what: 'With `--sdk 0.50` and `0.53` a query for an address of another chain is refused with code 18, as in 0.47, not 6.',
    sdk: '0.53'
  }
]

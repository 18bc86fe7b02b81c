/** The chains that can be real nodes: chain ids by short name. */
export const CHAIN_IDS = { BSC: 97, ETH: 11_155_111, OPT: 11_155_420, POL: 80_002 }

export type EvmChainName = keyof typeof CHAIN_IDS

/** The chains of `npm run devnet -- --evm`. OPT has a token that needs Permit2. */
export const EVM_CHAINS: readonly EvmChainName[] = ['ETH', 'OPT', 'POL']

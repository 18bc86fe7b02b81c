import { writeFileSync } from 'node:fs'
import { type Chain, erc6492SignatureValidatorByteCode } from 'viem'
import * as viem from 'viem/chains'

// `npm run chain-data` runs this file, then formats its output. viem is then needed only in development.

/** The chains that viem supports: the EVM chains, and Tron, which has an EVM chain id but its own kind of wallet. */
const networks: [shortName: string, mainnet: Chain, testnet: Chain][] = [
  ['ARB', viem.arbitrum, viem.arbitrumSepolia],
  ['AVX', viem.avalanche, viem.avalancheFuji],
  ['BASE', viem.base, viem.baseSepolia],
  ['BERA', viem.berachain, viem.berachainBepolia],
  ['BSC', viem.bsc, viem.bscTestnet],
  ['CFX', viem.confluxESpace, viem.confluxESpaceTestnet],
  ['ETH', viem.mainnet, viem.sepolia],
  ['OPT', viem.optimism, viem.optimismSepolia],
  ['POL', viem.polygon, viem.polygonAmoy],
  ['TRX', viem.tron, viem.tronNile],
  ['WLD', viem.worldchain, viem.worldchainSepolia]
]

function identityOf({ name, id, nativeCurrency, rpcUrls, blockExplorers, blockTime }: Chain) {
  if (blockExplorers === undefined) throw new Error(`viem has no block explorer for ${name}`)
  const { name: explorer, url, apiUrl } = blockExplorers.default
  return {
    name,
    id,
    nativeCurrency,
    rpcUrls: { default: { http: rpcUrls.default.http } },
    blockExplorers: { default: { name: explorer, url, apiUrl } },
    blockTime
  }
}

/**
 * Bitcoin and Solana, with the ids that bridges assign to them. Browsers cannot use Bitcoin's JSON-RPC, so its URL points
 * to an Esplora API.
 */
const bitcoin = { name: 'Bitcoin', symbol: 'BTC', decimals: 8 }
const solana = { name: 'Solana', symbol: 'SOL', decimals: 9 }
const MEMPOOL = 'https://mempool.space'
const solanaExplorer = { name: 'Solana Explorer', url: 'https://explorer.solana.com' }
const others = {
  BTC: {
    mainnet: other('Bitcoin', 8_253_038, bitcoin, `${MEMPOOL}/api`, { name: 'mempool.space', url: MEMPOOL }),
    testnet: other('Bitcoin Testnet', 9_092_725, bitcoin, `${MEMPOOL}/testnet4/api`, {
      name: 'mempool.space',
      url: `${MEMPOOL}/testnet4`
    })
  },
  SOL: {
    mainnet: other('Solana', 792_703_809, solana, 'https://api.mainnet-beta.solana.com', solanaExplorer),
    testnet: other('Solana Devnet', 1_936_682_084, solana, 'https://api.devnet.solana.com', solanaExplorer)
  }
}

function other(name: string, id: number, nativeCurrency: object, rpc: string, explorer: object) {
  return {
    name,
    id,
    nativeCurrency,
    rpcUrls: { default: { http: [rpc] } },
    blockExplorers: { default: explorer }
  }
}

function write(path: string, value: object): void {
  writeFileSync(new URL(`../services/${path}`, import.meta.url), `${JSON.stringify(value, null, 2)}\n`)
}

const entries = networks.map(([shortName, mainnet, testnet]) => {
  return [shortName, { mainnet: identityOf(mainnet), testnet: identityOf(testnet) }]
})
write('chains/networks.json', { ...Object.fromEntries(entries), ...others })
// The reference validator of ERC-6492, for wallets that are not deployed yet.
write('approvals/signatures/erc-6492-validator.json', { bytecode: erc6492SignatureValidatorByteCode })

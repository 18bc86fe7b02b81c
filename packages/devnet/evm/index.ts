import {
  type Address,
  concat,
  createTestClient,
  encodeDeployData,
  encodeFunctionData,
  type Hex,
  http,
  parseAbi,
  parseEther,
  parseUnits,
  publicActions,
  stringToHex,
  walletActions
} from 'viem'
import { findChain } from '../registry/index.ts'
import { poolAmounts, poolKeys } from '../registry/pools.ts'
import { tokenAbi } from './abi.ts'
import { anvilPath, NO_ANVIL, startAnvil } from './anvil.ts'
import permit2 from './contracts/permit2.json' with { type: 'json' }
import tokenCode from './contracts/tokens.json' with { type: 'json' }
import { CHAIN_IDS, EVM_CHAINS, type EvmChainName } from './names.ts'

/** A public development key: the second account of the phrase `test test … junk`. Never use it on a real network. */
export const USER = {
  address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  privateKey: '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d'
} as const

/** The node's own account. */
const FUNDER = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

const PERMIT2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3'
/** Deploys Permit2 at its address on any chain. Its address follows from its code, so it has no other code. */
const CREATE2_DEPLOYER = '0x4e59b44847b379578588920cA78FbF26c0B4956C'
const PERMIT2_SALT: Hex = '0x0000000000000000000000000000000000000000d3af2663da51c10215000000'

const constructorAbi = parseAbi(['constructor(bytes32 symbol, uint8 decimals)'])

export interface EvmOptions {
  names?: readonly EvmChainName[]
  host?: string
}

export type EvmChains = Awaited<ReturnType<typeof startEvmChains>>
export type EvmChain = Awaited<ReturnType<typeof startChain>>

/**
 * Starts a real EVM node per chain, each on a free port, with the registry's tokens at their addresses, Permit2, and funds
 * for the pool and the user.
 * @throws Error if this platform has no such node
 */
export async function startEvmChains({ names = EVM_CHAINS, host = '127.0.0.1' }: EvmOptions = {}) {
  const anvil = anvilPath()
  if (anvil === undefined) throw new Error(NO_ANVIL)
  const started = await Promise.allSettled(names.map(name => startChain(anvil, name, host)))
  const chains = started.flatMap(result => (result.status === 'fulfilled' ? [result.value] : []))
  async function stop(): Promise<void> {
    await Promise.all(chains.map(chain => chain.stop()))
  }
  const failed = started.find(result => result.status === 'rejected')
  if (failed !== undefined) {
    await stop()
    throw failed.reason
  }

  return {
    chains,
    pool: poolKeys.ecdsa as Address,
    /** Has funds on every chain. */
    user: USER,
    chain: (name: string): EvmChain | undefined => chains.find(({ shortName }) => shortName === name),
    stop
  }
}

async function startChain(anvil: string, shortName: EvmChainName, host: string) {
  const chainId = CHAIN_IDS[shortName]
  const registered = findChain(shortName)
  if (registered === undefined) throw new Error(`the registry has no chain ${shortName}`)
  const { url, stop } = await startAnvil(anvil, chainId, host)
  // The receipt is there as soon as the transaction has been sent.
  const transport = http(url, { retryCount: 0 })
  const client = createTestClient({ mode: 'anvil', transport, pollingInterval: 20 })
    .extend(publicActions)
    .extend(walletActions)
  const tokens = Object.fromEntries(
    registered.tokens.map(({ symbol, address, decimals, peggedTo }) => [
      symbol,
      { address: address as Address, decimals: Number(decimals), peggedTo }
    ])
  )

  let funded = Promise.resolve()

  /** Gives an address 100 coins for gas and, of each token, as much as the registry's pools have. */
  function fund(address: Address): Promise<void> {
    funded = funded.then(async () => {
      await client.setBalance({ address, value: parseEther('100') })
      for (const { address: token, decimals, peggedTo } of Object.values(tokens)) {
        const amount = parseUnits(poolAmounts[peggedTo], decimals)
        await transact({
          to: token,
          data: encodeFunctionData({ abi: tokenAbi, functionName: 'mint', args: [address, amount] })
        })
      }
    })
    return funded
  }

  async function transact(call: { to: Address; data: Hex }): Promise<void> {
    const hash = await client.sendTransaction({ ...call, account: FUNDER, chain: null })
    await client.waitForTransactionReceipt({ hash })
  }

  try {
    await transact({ to: CREATE2_DEPLOYER, data: concat([PERMIT2_SALT, permit2.bytecode as Hex]) })
    if ((await client.getCode({ address: PERMIT2 })) === undefined)
      throw new Error('Permit2 was not deployed')
    for (const [symbol, { address, decimals }] of Object.entries(tokens)) {
      const code = symbol === 'USDT' ? 'UsdtToken' : symbol === 'USDC' ? 'PermitToken' : 'Token'
      const creation = encodeDeployData({
        abi: constructorAbi,
        bytecode: tokenCode[code] as Hex,
        args: [stringToHex(symbol, { size: 32 }), decimals]
      })
      const { data: runtime } = await client.call({ data: creation })
      if (runtime === undefined) throw new Error(`the token ${symbol} has no code`)
      await client.setCode({ address, bytecode: runtime })
    }
    await client.impersonateAccount({ address: poolKeys.ecdsa as Address })
    await fund(poolKeys.ecdsa as Address)
    await fund(USER.address)
  } catch (error) {
    await stop()
    throw error
  }
  return {
    shortName,
    chainId,
    name: registered.name,
    url,
    tokens,
    permit2: PERMIT2,
    client,
    fund,
    stop
  } as const
}

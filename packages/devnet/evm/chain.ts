import {
  type Address,
  concat,
  createTestClient,
  encodeDeployData,
  getContract,
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
import { permit2Abi, tokenAbi } from './abi.ts'
import { startAnvil } from './anvil.ts'
import permit2Code from './contracts/permit2.json' with { type: 'json' }
import tokenCode from './contracts/tokens.json' with { type: 'json' }
import { CHAIN_IDS, type EvmChainName } from './names.ts'

/** The node's own account. */
const FUNDER = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

const PERMIT2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3'
/**
 * The contract that deploys Permit2 at the same address on every chain. That address depends on Permit2's code, so no
 * other code can be there.
 */
const CREATE2_DEPLOYER = '0x4e59b44847b379578588920cA78FbF26c0B4956C'
const PERMIT2_SALT: Hex = '0x0000000000000000000000000000000000000000d3af2663da51c10215000000'

const constructorAbi = parseAbi(['constructor(bytes32 symbol, uint8 decimals)'])

export type EvmChain = Awaited<ReturnType<typeof startChain>>
export type EvmToken = EvmChain['tokens'][string]

/** Starts a node with the tokens of the registry, Permit2, and the pool's account. */
export async function startChain(anvil: string, shortName: EvmChainName, host: string) {
  const registered = findChain(shortName)
  if (registered === undefined) throw new Error(`the registry has no chain ${shortName}`)
  const chainId = CHAIN_IDS[shortName]
  const { url, stop } = await startAnvil(anvil, chainId, host)
  const transport = http(url, { retryCount: 0 })
  const client = createTestClient({ mode: 'anvil', transport, account: FUNDER, pollingInterval: 20 })
    .extend(publicActions)
    .extend(walletActions)
  const tokens = Object.fromEntries(
    registered.tokens.map(({ symbol, address, decimals, peggedTo }) => {
      const contract = getContract({ address: address as Address, abi: tokenAbi, client })
      return [symbol, { address: contract.address, decimals: Number(decimals), peggedTo, contract }]
    })
  )
  const permit2 = getContract({ address: PERMIT2, abi: permit2Abi, client })
  let turn: Promise<unknown> = Promise.resolve()

  /**
   * Sends transactions one at a time, because the node assigns the nonces of its own accounts.
   * @returns the hash once the transaction is in a block
   * @throws BaseError with the reason of a revert
   */
  async function sent(send: () => Promise<Hex>): Promise<Hex> {
    const result = turn.then(send)
    turn = result.catch(() => undefined)
    const hash = await result
    const { status, from, to, blockNumber } = await client.waitForTransactionReceipt({ hash })
    if (status === 'success') return hash
    // Repeat the call, because only a call returns the reason of a revert.
    await client.call({ account: from, to, data: (await client.getTransaction({ hash })).input, blockNumber })
    throw new Error(`the transaction ${hash} failed`)
  }

  /** Gives an address 100 coins for gas and, of each token, as much as the registry's pools have. */
  async function fund(address: Address): Promise<void> {
    await client.setBalance({ address, value: parseEther('100') })
    for (const { contract, decimals, peggedTo } of Object.values(tokens)) {
      const amount = parseUnits(poolAmounts[peggedTo], decimals)
      await sent(() => contract.write.mint([address, amount], { chain: null }))
    }
  }

  try {
    const data = concat([PERMIT2_SALT, permit2Code.bytecode as Hex])
    await sent(() => client.sendTransaction({ to: CREATE2_DEPLOYER, data, chain: null }))
    for (const [symbol, { address, decimals }] of Object.entries(tokens)) {
      const code = symbol === 'USDT' ? 'UsdtToken' : symbol === 'USDC' ? 'PermitToken' : 'Token'
      const args = [stringToHex(symbol, { size: 32 }), decimals] as const
      const creation = encodeDeployData({ abi: constructorAbi, bytecode: tokenCode[code] as Hex, args })
      const { data: bytecode = '0x' } = await client.call({ data: creation })
      await client.setCode({ address, bytecode })
    }
    await client.impersonateAccount({ address: poolKeys.ecdsa })
    await fund(poolKeys.ecdsa)
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
    client,
    sent,
    fund,
    stop,
    permit2: permit2.address,
    permit2Contract: permit2
  }
}

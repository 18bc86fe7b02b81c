import type { Address } from 'viem'
import { poolKeys } from '../registry/pools.ts'
import { anvilPath, NO_ANVIL } from './anvil.ts'
import { type EvmChain, startChain } from './chain.ts'
import { EVM_CHAINS, type EvmChainName } from './names.ts'
import { createPool } from './pool.ts'

/** A public development key: the second account of the phrase `test test … junk`. Never use it on a real network. */
export const USER = {
  address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  privateKey: '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d'
} as const

export type { EvmChain } from './chain.ts'

export type EvmChains = Awaited<ReturnType<typeof startEvmChains>>

/**
 * Starts a real EVM node per chain, each on a free port, with the registry's tokens at their addresses, Permit2, and funds
 * for the pool and the user.
 * @throws Error if this platform has no such node
 */
export async function startEvmChains(options: { names?: readonly EvmChainName[]; host?: string } = {}) {
  const { names = EVM_CHAINS, host = '127.0.0.1' } = options
  const anvil = anvilPath()
  if (anvil === undefined) throw new Error(NO_ANVIL)
  const started = await Promise.allSettled(names.map(name => startChain(anvil, name, host)))
  const chains = started.flatMap(result => (result.status === 'fulfilled' ? [result.value] : []))
  const stop = async () => void (await Promise.all(chains.map(chain => chain.stop())))
  try {
    for (const result of started) if (result.status === 'rejected') throw result.reason
    await Promise.all(chains.map(chain => chain.fund(USER.address)))
  } catch (error) {
    await stop()
    throw error
  }
  const chain = (name: string): EvmChain | undefined => chains.find(({ shortName }) => shortName === name)
  const pool: Address = poolKeys.ecdsa
  return { chains, chain, pool, account: createPool(chain), user: USER, stop }
}

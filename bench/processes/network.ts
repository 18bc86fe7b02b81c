import { join } from 'node:path'
import { type Static, Type } from '@sinclair/typebox'
import type { Chain, Lab } from '../lab.ts'
import { type Child, startChild } from './child.ts'
import { script, source } from './script.ts'

const programs: Record<Chain, string[]> = {
  devnet: [script('bench/processes/network-process')],
  real: source('bench/processes/real-network-process')
}

const NetworkFacts = Type.Object({
  env: Type.Record(Type.String(), Type.String()),
  rpc: Type.String(),
  chainId: Type.String(),
  /** Chain address of the whitelisted wallet. */
  address: Type.String()
})

const BlockFacts = Type.Object({
  height: Type.Number(),
  /** Milliseconds since the epoch. */
  committedAt: Type.Number(),
  transactions: Type.Number(),
  failed: Type.Number(),
  /** Messages of the successful transactions, one for each submission. */
  messages: Type.Number(),
  gasWanted: Type.Number(),
  gasUsed: Type.Number(),
  bytes: Type.Number()
})
export type BlockFacts = Static<typeof BlockFacts>

export interface NetworkOptions {
  blockTimeMs: number
  maxBlockGas: number
}

export interface Network extends Static<typeof NetworkFacts>, Pick<Child, 'usage' | 'stop'> {
  readonly options: NetworkOptions
  /** Every block since the start, in order. */
  readonly blocks: readonly BlockFacts[]
}

/** Starts the network in a process of its own. */
export async function startNetwork({ chain, directory }: Lab, options: NetworkOptions): Promise<Network> {
  const { blockTimeMs, maxBlockGas } = options
  const child = startChild({
    args: [...programs[chain], String(blockTimeMs), String(maxBlockGas)],
    env: {},
    cwd: directory,
    logPath: join(directory, 'network.log')
  })
  const blocks: BlockFacts[] = []
  child.each('block', BlockFacts, block => void blocks.push(block))
  const facts = await child.next('network', NetworkFacts)
  return { ...facts, options, blocks, usage: child.usage, stop: child.stop }
}

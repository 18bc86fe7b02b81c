import { type Static, Type } from '@sinclair/typebox'
import type { Lab } from '../lab.ts'
import { type Child, script, startChild } from './child.ts'

const NetworkFacts = Type.Object({
  /** Environment variables for a server on the network. */
  env: Type.Record(Type.String(), Type.String()),
  rpc: Type.String(),
  /** Chain address of the whitelisted wallet. */
  address: Type.String()
})

const BlockFacts = Type.Object({
  height: Type.Number(),
  /** When the block was committed, in milliseconds since the epoch. */
  committedAt: Type.Number(),
  /** Number of messages in successful transactions. Each submission is one message. */
  messages: Type.Number(),
  gasWanted: Type.Number()
})
export type BlockFacts = Static<typeof BlockFacts>

export interface NetworkOptions {
  blockTimeMs: number
  maxBlockGas: number
}

export interface Network extends Static<typeof NetworkFacts>, Pick<Child, 'usage'> {
  /** Every block since the start, in order. */
  readonly blocks: readonly BlockFacts[]
}

/** Starts the development network in its own process. */
export async function startNetwork(lab: Lab, { blockTimeMs, maxBlockGas }: NetworkOptions): Promise<Network> {
  const child = startChild(lab, [script('network-process'), `${blockTimeMs}`, `${maxBlockGas}`], {})
  const blocks: BlockFacts[] = []
  child.each('block', BlockFacts, block => void blocks.push(block))
  return { ...(await child.next('network', NetworkFacts)), blocks, usage: child.usage }
}

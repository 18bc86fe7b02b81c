import type { Test } from 'tap'
import { type Devnet, startDevnet } from '../../packages/devnet/index.ts'
import type { DevnetOptions } from '../../packages/devnet/options.ts'
import { rpc } from '../helpers/rpc.ts'
import { sign, transfer } from './transactions.ts'

/** Starts a network with a lagging node. The test produces the blocks. */
export async function start(t: Test, options: Partial<DevnetOptions> = {}) {
  const devnet = await startDevnet({ ...options, control: true })
  t.teardown(() => devnet.close())
  devnet.chain.pause()
  return devnet
}

export async function broadcast(devnet: Devnet, bytes: Uint8Array, url = devnet.urls.rpc) {
  return rpc(url, 'broadcast_tx_sync', { tx: Buffer.from(bytes).toString('base64') })
}

/** Signs a transfer from the development wallet with this sequence. */
export const at = (devnet: Devnet, sequence: number) =>
  sign(devnet, [transfer(devnet.addresses.development)], { sequence })

/** Returns the number of transactions in the mempool. */
export const waiting = ({ chain }: Devnet) => chain.mempool.size

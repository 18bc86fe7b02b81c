import type { Test } from 'tap'
import { type Network, startNetwork } from '../../helpers/app.ts'
import { startRealChain } from '../harness/index.ts'

/** Starts a real chain, and the other services of a development network whose own chain pauses. */
export async function startServiceNetwork(t: Test, options: Parameters<typeof startRealChain>[1]) {
  const [chain, services] = await Promise.all([startRealChain(t, options), startNetwork(t)])
  services.chain.pause()
  const network: Network = {
    urls: chain.urls,
    addresses: chain.addresses,
    env: () => ({ ...services.env(), SERVICE_BACKEND_NODE_PROVIDER: chain.urls.rpc })
  }
  return { chain, network }
}

import type { Test } from 'tap'
import type { Devnet } from '../../../packages/devnet/index.ts'
import { startNetwork } from '../../helpers/app.ts'
import type { Network } from '../../helpers/network.ts'
import { type RealChain, startRealChain } from '../harness/index.ts'

/** @param nodes RPC URLs for the server, in order of preference */
export function networkOf(services: Devnet, chain: RealChain, nodes = [chain.urls.rpc]): Network {
  return {
    urls: chain.urls,
    addresses: chain.addresses,
    env: () => ({ ...services.env(), SERVICE_BACKEND_NODE_PROVIDER: nodes.join(',') })
  }
}

export async function startServiceNetwork(t: Test, options: Parameters<typeof startRealChain>[1]) {
  const [chain, services] = await Promise.all([startRealChain(t, options), startNetwork(t)])
  services.chain.pause()
  return { chain, services, network: networkOf(services, chain) }
}

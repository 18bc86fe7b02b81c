import type { Test } from 'tap'
import type { Devnet } from '../../../packages/devnet/index.ts'
import { startNetwork } from '../../helpers/app.ts'
import type { Network } from '../../helpers/network.ts'
import { type RealChain, startRealChain } from '../harness/index.ts'

/** Starts the services that a server needs in addition to the chain: chain registry, fees, compliance and KYC. */
async function startServices(t: Test): Promise<Devnet> {
  const services = await startNetwork(t)
  services.chain.pause()
  return services
}

/**
 * Returns a network that contains the real chain.
 * @param nodes RPC URLs for the server, in order of preference; by default, only the first node's
 */
export function networkOf(services: Devnet, chain: RealChain, nodes = [chain.urls.rpc]): Network {
  return {
    urls: chain.urls,
    addresses: chain.addresses,
    env: () => ({ ...services.env(), SERVICE_BACKEND_NODE_PROVIDER: nodes.join(',') })
  }
}

/** Starts a real chain with all services that a server needs. */
export async function startServiceNetwork(t: Test, options: Parameters<typeof startRealChain>[1]) {
  const [chain, services] = await Promise.all([startRealChain(t, options), startServices(t)])
  return { chain, services, network: networkOf(services, chain) }
}

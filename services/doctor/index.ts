import type { Any } from 'cosmjs-types/google/protobuf/any'
import { optionalAmount } from '../amounts.ts'
import type { Signer } from '../wallet/signer.ts'
import type { Examined } from './contract.ts'
import type { Finding } from './finding.ts'
import { examineNodes } from './nodes.ts'
import { examineOrigins } from './service.ts'
import { examineUpstreams } from './upstreams.ts'

/**
 * Checks the configuration against the nodes and the other upstreams, without signing anything. Takes at most 40 seconds.
 * @param known.chainId the chain of the store
 * @param known.control simulates a request of the wallet
 */
export async function examine(
  examined: Examined,
  known: {
    address: string | undefined
    chainId: string | undefined
    control?: { wallet: Signer; request: Any } | undefined
  }
): Promise<Finding[]> {
  const { config, secrets } = examined
  const { findings, chainId } = await examineNodes({
    ...known,
    urls: secrets.upstreams.nodes,
    fees: { feeDenom: config.feeDenom, gasPrice: config.gasPrice },
    lowBalance: optionalAmount(config.lowBalance)
  })
  const others = await Promise.all([...examineUpstreams(examined, chainId), examineOrigins(examined)])
  return [...findings, ...others.flat()]
}

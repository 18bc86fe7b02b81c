import { NodeUnavailableError } from '../../chain-client/index.ts'
import { listPrices, priceVerdict } from '../decide/fees.ts'
import type { EngineContext } from './context.ts'

/**
 * The interval between checks, shorter after a refusal. Nodes rarely change their prices, and a corrected setting takes
 * effect only after a restart.
 */
const CHECK_MS = 600_000
const RECHECK_MS = 30_000

/**
 * Creates the loop step that compares the configured price and denomination with those that nodes require. It raises the
 * blocker only if two nodes, or the only one, would refuse the fee. Nodes that do not report their prices change nothing.
 */
export function createPriceCheck({ chain, settings, blockers, log }: EngineContext): () => Promise<number> {
  const { feeDenom, gasPrice } = settings

  return async () => {
    const { agreed, responses } = await chain.crossCheck({
      question: 'prices',
      async ask(node) {
        const required = await node.requiredPrices()
        return { required: listPrices(required), verdict: priceVerdict(required, settings) }
      },
      agree: (one, other) => one.verdict === other.verdict
    })
    if (responses.length === 0) throw new NodeUnavailableError(undefined, 'none reports its gas prices')
    const [{ verdict, required }] = agreed ?? [{ verdict: 'accepted', required: '' }]
    const reason = `nodes require ${required}, but the service is configured to pay ${gasPrice}${feeDenom}`
    if (verdict === 'refused') {
      blockers.raise('price-refused', reason)
      return RECHECK_MS
    }
    blockers.clear('price-refused')
    if (verdict === 'raised') log.warn({ reason }, 'the fee has to be raised: correct SERVICE_GAS_PRICE')
    return CHECK_MS
  }
}

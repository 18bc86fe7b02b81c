import { Problem } from '../problem.ts'
import { answerOf, client } from '../service.ts'

/**
 * Asks whether addresses are compliant, before the user signs or approves anything, where the service checks that.
 * @param fields the addresses by the names of their fields
 * @throws Problem when one is not, or the provider cannot say
 */
export async function assertCompliant(fields: Record<string, string>, signal: AbortSignal): Promise<void> {
  const { enabled } = await answerOf(client.api.GET('/compliant/enabled', { signal }))
  if (!enabled) return
  const params = { query: { address: Object.values(fields) } }
  const { isError, results } = await answerOf(client.api.GET('/compliant', { params, signal }))
  if (isError)
    throw new Problem({
      code: 'COMPLIANCE_UNAVAILABLE',
      message: 'The addresses cannot be checked at present.'
    })
  const details = Object.keys(fields)
    .filter((_, index) => !results[index]?.isCompliant)
    .map(field => ({ path: `/${field}`, message: 'must be a compliant address' }))
  if (details.length > 0)
    throw new Problem({
      code: 'NOT_COMPLIANT',
      message: 'The compliance provider refuses an address.',
      details
    })
}

import { Problem } from '../problem.ts'
import { client, dataOf } from '../service.ts'

/**
 * Checks the addresses before the user signs or approves anything, if the service has a compliance provider.
 * @param fields the addresses by field name
 * @throws Problem when an address is not compliant, or the provider cannot check it
 */
export async function assertCompliant(fields: Record<string, string>, signal: AbortSignal): Promise<void> {
  const { enabled } = await dataOf(client.api.GET('/compliant/enabled', { signal }))
  if (!enabled) return
  const params = { query: { address: Object.values(fields) } }
  const { isError, results } = await dataOf(client.api.GET('/compliant', { params, signal }))
  if (isError)
    throw new Problem({
      code: 'COMPLIANCE_UNAVAILABLE',
      message: 'The addresses cannot be checked at the moment.'
    })
  const details = Object.keys(fields)
    .filter((_, index) => !results[index]?.isCompliant)
    .map(field => ({ path: `/${field}`, message: 'must be a compliant address' }))
  if (details.length > 0)
    throw new Problem({
      code: 'NOT_COMPLIANT',
      message: 'The compliance provider rejected an address.',
      details
    })
}

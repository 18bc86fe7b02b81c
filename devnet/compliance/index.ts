import { Type } from '@sinclair/typebox'
import { createApp, type ListenOptions, listen, type RunningServer } from '../http-server.ts'

/** Addresses with a special answer, to try out a refusal and a failure of the provider. */
export const complianceAddresses = {
  sanctioned: `0x${'c1'.padStart(40, '0')}`,
  providerFails: `0x${'c2'.padStart(40, '0')}`
}

const Query = Type.Object({
  address: Type.Union([
    Type.String({ minLength: 1 }),
    Type.Array(Type.String({ minLength: 1 }), { minItems: 1, maxItems: 50 })
  ])
})

/**
 * A compliance provider: `GET /?address=A[&address=B]` answers
 * `{ isCompliant, isError, results: [{ address, isCompliant, result }] }`, one result per address in their order;
 * `result` is `approved` or `sanctioned`. 400 without an address, 500 for the address that makes it fail.
 */
export async function createComplianceServer(options: ListenOptions): Promise<RunningServer> {
  const app = createApp()
  app.get('/', { schema: { querystring: Query } }, (request, reply) => {
    const addresses = [request.query.address].flat()
    if (addresses.some(address => address.toLowerCase() === complianceAddresses.providerFails)) {
      return reply.code(500).send({ isCompliant: false, isError: true, results: [] })
    }
    const results = addresses.map(address => {
      const isCompliant = address.toLowerCase() !== complianceAddresses.sanctioned
      return { address, isCompliant, result: isCompliant ? 'approved' : 'sanctioned' }
    })
    return { isCompliant: results.every(result => result.isCompliant), isError: false, results }
  })
  return listen(app, options)
}

import { Type } from '@sinclair/typebox'
import { createApp, type ListenOptions, listen, type RunningServer } from '../http-server.ts'

const address = (ending: string) => `0x${ending.padStart(40, '0')}`

/** Addresses with special responses. All others have a low risk. */
export const complianceAddresses = {
  sanctioned: address('c1'),
  /** The response has status 500. */
  providerFails: address('c2'),
  medium: address('c3'),
  high: address('c4'),
  /** The response has status 200 and reports that the address cannot be checked. */
  uncheckable: address('c5')
}

const scores = new Map([
  [complianceAddresses.sanctioned, 'critical'],
  [complianceAddresses.medium, 'med'],
  [complianceAddresses.high, 'high']
])

const Body = Type.Object({
  addresses: Type.Array(Type.String({ minLength: 1 }), { minItems: 1, maxItems: 50 })
})

/** Starts a compliance provider: `POST /` with `{ addresses }` returns one record per address, or an error. */
export async function createComplianceServer(options: ListenOptions): Promise<RunningServer> {
  const app = createApp()
  app.post('/', { schema: { body: Body } }, (request, reply) => {
    const { addresses } = request.body
    const lowerCase = addresses.map(address => address.toLowerCase())
    if (lowerCase.includes(complianceAddresses.providerFails)) {
      return reply.code(500).send({ status: 'fail', error: 'internal error' })
    }
    if (lowerCase.includes(complianceAddresses.uncheckable)) {
      return { status: 'fail', error: 'the address cannot be checked' }
    }
    return addresses.map(address => {
      const risk_score = scores.get(address.toLowerCase()) ?? 'low'
      const isListed = risk_score === 'critical'
      const [name, classification] = isListed ? ['A listed entity', ['sanctions']] : [null, []]
      const risk_factors = risk_score === 'low' ? [] : [`${risk_score} risk`]
      return { address, name, classification, risk_factors, risk_score }
    })
  })
  return listen(app, options)
}

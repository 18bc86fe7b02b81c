import { hash } from 'node:crypto'
import { IdentityTakenError, ServiceError } from '../errors/index.ts'
import { createMessageTypes } from '../messages/index.ts'
import { messageFields } from '../messages/readable.ts'
import type { SubmissionEngine, SubmissionRequest } from './contract.ts'
import { identityKey } from './identities.ts'
import { meaningOf } from './same-content.ts'

/** The maximum number of remembered identities. The oldest are forgotten. */
const MAX_REMEMBERED = 100_000

/**
 * Creates the part of the engine that shadow mode replaces (interface 7.30): it remembers in memory which requests it
 * would have accepted, so that retries and conflicts are recognized, and reports each acceptance as an error. Nothing
 * is stored, signed or sent.
 */
export function createShadow(brand: string): Pick<SubmissionEngine, 'start' | 'submit' | 'isAccepted'> {
  const contents = new Map<string, string>()
  const { htlcReclaim } = createMessageTypes(brand)

  /** @throws IdentityTakenError */
  function isRemembered({ identities, ...content }: SubmissionRequest): boolean {
    const known = identities.filter(identity => contents.has(identityKey(identity)))
    const taken = known.find(
      identity => contents.get(identityKey(identity)) !== hash('sha256', meaningOf(content))
    )
    if (taken) throw new IdentityTakenError(taken.kind)
    return known.length > 0
  }

  return {
    async start() {},
    isAccepted: async request => isRemembered(request),
    async submit(request) {
      isRemembered(request)
      const { identities, typeUrl, message } = request
      for (const identity of identities)
        contents.set(identityKey(identity), hash('sha256', meaningOf(request)))
      for (const key of contents.keys()) if (contents.size > MAX_REMEMBERED) contents.delete(key)
      const fields = messageFields(brand, typeUrl, message) ?? {}
      // A reclaim has no transaction id.
      const statusCode = typeUrl === htlcReclaim.typeUrl ? 202 : 200
      const shadow = { statusCode, typeUrl, message: Buffer.from(message).toString('base64'), fields }
      throw new ServiceError('SHADOW', undefined, { shadow })
    }
  }
}

import { isUtf8 } from 'node:buffer'
import fp from 'fastify-plugin'
import { fieldError, ServiceError } from '../../services/errors/index.ts'
import { findLoss, parseJson as readJson } from '../../services/json.ts'

const otherCharset = /;\s*charset=(?!"?utf-?8"?\s*(?:;|$))/i

/** Copying one of these properties to another object would change that object's prototype. */
const POISONED = 'The body must not have a property __proto__, or constructor with prototype'

/**
 * Responds with 400 to bodies that are not UTF-8, contain malformed Unicode, or would lose data in `JSON.parse`, and with 415 to any other charset. Otherwise, the service would process something other
 * than what the client sent.
 */
export default fp(
  async app => {
    const parseJson = app.getDefaultJsonParser('error', 'error')
    app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
      const { 'content-encoding': encoding = 'identity', 'content-type': type = '' } = request.headers
      if (encoding.toLowerCase() !== 'identity')
        done(unsupported('The body must not have a content-encoding'))
      else if (otherCharset.test(type)) done(unsupported('The charset of the body must be utf-8'))
      else if (!isUtf8(body)) done(new ServiceError('INVALID_JSON', 'The body is not UTF-8'))
      else {
        const text = body.toString()
        parseJson(request, text, (error, value) => {
          const loss = error ? undefined : findLoss(text)
          if (loss) done(bodyError(loss.place, loss.problem))
          else if (error && readJson(text) !== undefined) done(new ServiceError('INVALID_JSON', POISONED))
          else done(error, value)
        })
      }
    })
  },
  { name: 'well-formed', dependencies: ['error-handler'] }
)

const bodyError = (place: string, problem: string) =>
  place === ''
    ? new ServiceError('VALIDATION', `body ${problem}`, { details: [{ path: '', message: problem }] })
    : fieldError(place, problem)

const unsupported = (message: string) => new ServiceError('UNSUPPORTED_MEDIA_TYPE', message)

import { isUtf8 } from 'node:buffer'
import fp from 'fastify-plugin'
import { fieldError, ServiceError } from '../../services/errors/index.ts'
import { findLoneSurrogate, HALF_PAIR } from '../../services/json.ts'

const otherCharset = /;\s*charset=(?!"?utf-?8"?\s*(?:;|$))/i

/**
 * A body that is not UTF-8, or whose texts are not all well-formed Unicode, is a 400 (interface 3.11, 3.16), one that says so a 415
 * (interface 3.15). Decoding it all the same would put other characters in place of those that the client sent.
 */
export default fp(
  async app => {
    const parseJson = app.getDefaultJsonParser('error', 'error')
    app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
      const { 'content-encoding': encoding = 'identity', 'content-type': type = '' } = request.headers
      if (encoding.toLowerCase() !== 'identity')
        done(unsupported('The body must not have a content-encoding'))
      else if (otherCharset.test(type)) done(unsupported('The charset of the body must be utf-8'))
      else if (isUtf8(body)) parseJson(request, body.toString(), done)
      else done(new ServiceError('INVALID_JSON', 'The body is not UTF-8'))
    })

    app.addHook('preValidation', ({ body }, _reply, done) => {
      const malformed = findLoneSurrogate(body)
      if (malformed === undefined) done()
      else done(fieldError(malformed, HALF_PAIR))
    })
  },
  { name: 'well-formed', dependencies: ['error-handler'] }
)

const unsupported = (message: string) => new ServiceError('UNSUPPORTED_MEDIA_TYPE', message)

import { isUtf8 } from 'node:buffer'
import fp from 'fastify-plugin'
import { fieldError } from '../../services/errors/field-error.ts'
import { ServiceError } from '../../services/errors/index.ts'
import { findLoneSurrogate } from '../../services/json.ts'

/**
 * A body that is not UTF-8, or whose texts are not all well-formed Unicode, is a 400 (interface 3.11, 3.16). Decoding
 * it all the same would put other characters in place of those that the client sent.
 */
export default fp(
  async app => {
    const parseJson = app.getDefaultJsonParser('error', 'error')
    app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
      if (isUtf8(body)) parseJson(request, body.toString(), done)
      else done(new ServiceError('INVALID_JSON', 'The body is not UTF-8'))
    })

    app.addHook('preValidation', ({ body }, _reply, done) => {
      const malformed = findLoneSurrogate(body)
      if (malformed === undefined) done()
      else done(fieldError(malformed, 'must not hold half of a surrogate pair'))
    })
  },
  { name: 'well-formed', dependencies: ['error-handler'] }
)

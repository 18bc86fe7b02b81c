import fp from 'fastify-plugin'
import { fieldError } from '../../services/errors/field-error.ts'
import { findLoneSurrogate } from '../../services/json.ts'

/** A body whose texts are not all well-formed Unicode is a 400 (interface 3.11). Queries and headers cannot be otherwise. */
export default fp(
  async app => {
    app.addHook('preValidation', ({ body }, _reply, done) => {
      const malformed = findLoneSurrogate(body)
      if (malformed === undefined) done()
      else done(fieldError(malformed, 'must not hold half of a surrogate pair'))
    })
  },
  { name: 'well-formed', dependencies: ['error-handler'] }
)

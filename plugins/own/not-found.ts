import fp from 'fastify-plugin'
import { NotFoundError } from '../../services/errors/index.ts'

/** A route that does not exist is a 404 (interface 3.10) and counts against the rate limit. */
export default fp(
  async app => {
    app.setNotFoundHandler(() => {
      throw new NotFoundError('There is no such route')
    })
  },
  { name: 'not-found', dependencies: ['error-handler'] }
)

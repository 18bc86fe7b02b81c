import fp from 'fastify-plugin'
import { createReadiness, type Readiness } from '../../services/readiness/index.ts'

declare module 'fastify' {
  interface FastifyInstance {
    readiness: () => Promise<Readiness>
  }
}

/** `app.readiness()`: the checks of `/ready`, which the metrics show too. */
export default fp(
  async app => {
    const { store, chainClient, chainApi, submissions, metrics, log } = app
    const isStopping = () => app.isStopping
    const readiness = createReadiness({ store, chainClient, chainApi, submissions, isStopping, log })
    app.decorate('readiness', readiness)
    metrics.showState({ readiness, submissions, chainClient, store })
  },
  {
    name: 'readiness',
    dependencies: ['store', 'chain-client', 'chain-api', 'submissions', 'metrics', 'drain']
  }
)

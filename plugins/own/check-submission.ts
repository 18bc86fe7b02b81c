import fp from 'fastify-plugin'
import { type CheckSubmission, createSubmissionCheck } from '../../services/requests/check-submission.ts'

declare module 'fastify' {
  interface FastifyInstance {
    checkSubmission: CheckSubmission
  }
}

/** `app.checkSubmission`: all checks of a submission in their order, up to the encoded message. */
export default fp(
  async app => {
    const { config, signer: wallet, chainFilter: filter, chains, compliance } = app
    const environment = config.SERVICE_ENVIRONMENT
    app.decorate(
      'checkSubmission',
      createSubmissionCheck({ environment, wallet, filter, chains, compliance })
    )
  },
  {
    name: 'check-submission',
    dependencies: ['config', 'signer', 'chain-filter', 'chains', 'compliance']
  }
)

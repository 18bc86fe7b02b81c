import fp from 'fastify-plugin'
import { type CheckSubmission, createSubmissionCheck } from '../../services/requests/check-submission.ts'
import { createQuoteCheck } from '../../services/requests/quote-check.ts'

declare module 'fastify' {
  interface FastifyInstance {
    checkSubmission: CheckSubmission
  }
}

/** `app.checkSubmission`: all checks of a submission in their order, up to the encoded message. */
export default fp(
  async app => {
    const { config, signer: wallet, chainFilter: filter, chains, quotes, compliance } = app
    const checkQuote = createQuoteCheck({ quotes, isRequired: config.SERVICE_QUOTE_CHECK === 'required' })
    const environment = config.SERVICE_ENVIRONMENT
    app.decorate(
      'checkSubmission',
      createSubmissionCheck({ environment, wallet, filter, chains, checkQuote, compliance })
    )
  },
  {
    name: 'check-submission',
    dependencies: ['config', 'signer', 'chain-filter', 'chains', 'quotes', 'compliance']
  }
)

import { feeQuoteRoute } from '../fee-quote-route.ts'

export default feeQuoteRoute({ hide: true })

import { feeRoute } from '../fee-route.ts'

export default feeRoute()

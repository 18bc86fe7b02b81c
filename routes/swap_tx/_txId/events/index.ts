import { eventsRoute } from '../../../tx/events-route.ts'

export default eventsRoute('swap', {
  operationId: 'getSwapEvents',
  summary: 'Status of a stable-token swap as it changes'
})

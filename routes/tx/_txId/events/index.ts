import { eventsRoute } from '../../events-route.ts'

export default eventsRoute('transfer', {
  operationId: 'getTransactionEvents',
  summary: 'Status of a transfer as it changes'
})

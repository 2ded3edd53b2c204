// The table of prices, and nothing else of the store: whoever only prints loads no database.
export { loadPrices } from '@tailrace/store';

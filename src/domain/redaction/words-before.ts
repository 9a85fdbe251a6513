/** Words which say that the number after them is neither a phone number nor a card. */
const denying =
  /(?:order|receipt|reg|reading|meter|lottery|lotto|invoice|bestell|auftrag|rechnung|sendung|tracking|shipment|parcel|sku|part|article|artikel|item|isbn|issn|ean|gtin|upc|serial|imei|ticket|case|issue|bug|pr|commit|build|version|rev|ref|reference|referenz|transaction|txn|job|batch|lot|patent|doi|pmid|arxiv|id|uuid|guid|vin|zip|plz|account|konto|policy|claim|contract|vertrag|commande|facture|pedido|factura|ordine|fattura|timestamp|epoch|port|pid|offset|bytes?|seed|model|coordinates?|lat|lon|latitude|longitude|score|page|pages|line|room|flight|nhs|ssn|passport|licen[cs]e|student|employee|kundennummer|customer|member|matricule|dossier|номер заказа|заказ|счёт|订单|注文)(?:\W{0,3}(?:number|numbers|nummer|num|nr|no|n°|nº|numéro|número|code|id|key|is|was|ist|номер|号|番号))?[^\p{L}\d]{0,4}$/iu;

/** The number of characters before a number that are examined. */
const window = 48;

function before(text: string, at: number): string {
  const opening = text.slice(Math.max(0, at - window), at);
  return opening.slice(opening.lastIndexOf('\n') + 1);
}

/** Whether the words right before `at` say that the number there is an order, a version or the like. */
export function deniedBefore(text: string, at: number): boolean {
  const opening = before(text, at);
  const match = denying.exec(opening);
  return match !== null && !/\p{L}/u.test(opening[match.index - 1] ?? '');
}

/** Whether one of `words` (in lower case) is before `at`, with at most `gap` characters and no digit between. */
export function leadsTo(text: string, at: number, words: RegExp, gap: number): boolean {
  const opening = before(text, at).toLowerCase();
  const nearest = /[^\d]*$/.exec(opening)?.[0] ?? '';
  const from = Math.max(0, nearest.length - gap - 16);
  return words.test(nearest.slice(from));
}

import { get } from 'node:http';
import { text } from 'node:stream/consumers';

/** What a broker of the run answers, see the global setups. */
export const askBroker = async <T>(url: string): Promise<T> => {
  const [status, body] = await new Promise<[number | undefined, string]>((resolve, reject) => {
    get(url, (response) => {
      text(response).then((answer) => resolve([response.statusCode, answer]), reject);
    }).on('error', reject);
  });
  if (status !== 200) throw new Error(`${url} answered ${status}: ${body}`);
  return JSON.parse(body) as T;
};

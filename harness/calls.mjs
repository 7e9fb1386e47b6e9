/** Makes a call, such as "POST /api/assets/". @param {string} url of the server @param {string} call @param {object} [body] @param {string} [access] token @returns {Promise<any>} */
export async function callServer(url, call, body, access) {
  const [method = '', path = ''] = call.split(' ');
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      ...(access && { authorization: `Bearer ${access}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${call} answered ${answer.status} ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

/** Signs in. Returns the access token. @param {string} url @param {{ username: string, password: string }} user @returns {Promise<string>} */
export const tokenOf = async (url, { username, password }) =>
  (await callServer(url, 'POST /api/login/', { username, password })).access;

const PASSWORD = 'correct horse battery';

/** Creates an account. Returns its tokens. @param {string} url @param {string} username */
export const register = (url, username) =>
  callServer(url, 'POST /api/register/', { username, email: `${username}@example.org`, password: PASSWORD });

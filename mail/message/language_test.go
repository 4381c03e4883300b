package message

import "testing"

// What stands below an attribution or a divider in any of these languages is not
// its reader's, and nor is the line itself.

func TestAttributionLanguages(t *testing.T) {
	t.Parallel()
	for _, line := range []string{
		"On 21/11/2026 10:02, Samizdat wrote:",
		"Am 21.11.2026 um 10:02 schrieb Samizdat:",
		"Le 21/11/2026 à 10:02, Samizdat a écrit :",
		"El 21/11/26 a las 10:02, Samizdat escribió:",
		"Il 21/11/26 10:02, Samizdat ha scritto:",
		"W dniu 21.11.2026 o 10:02, Samizdat pisze:",
		"Dne 21. 11. 26 v 10:02 Samizdat napsal(a):",
		"2026. 11. 21. 10:02 keltezéssel, Samizdat írta:",
		"21.11.2026 10:02, Samizdat пишет:",
		"On 2026/11/21 10:02, Samizdat wrote:",
		"2026/11/21 10:02、Samizdat のメール:",
		"在 2026/11/21 10:02, Samizdat 写道:",
		"Op 21-11-2026 om 10:02 schreef Samizdat:",
		"Em 21/11/2026 10:02, Samizdat escreveu:",
		"Den 2026-11-21 kl. 10:02, skrev Samizdat:",
		"Samizdat kirjoitti 21.11.2026 klo 10.02:",
		"21.11.2026 10:02 tarihinde Samizdat yazdı:",
		"2026-11-21 오전 10:02에 Samizdat 이(가) 쓴 글:",
		"Στις 21/11/26 10:02, ο/η Samizdat έγραψε:",
		"21.11.26 10:02, Samizdat пише:",
		"Den 21.11.2026 kl. 10.02 skrev Samizdat:",
		"Pe 21.11.2026 10:02, Samizdat a scris:",
		"Dana 21. 11. 2026. u 10:02, Samizdat je napisao/la:",
		"ב-21/11/2026 10:02, Samizdat כתב:",
		"Dňa 21. 11. 2026 o 10:02 Samizdat napísal(a):",
		"2026-11-21 10:02, Samizdat rašė:",
		"На 21.11.2026 г. в 10:02, Samizdat написа:",
		"El 21/11/26 a les 10:02, Samizdat ha escrit:",
		"21 Nov 2026, 10:02 by judge@example.net:",
		"21.11.2026, 12:02, \"Samizdat\" <judge@example.net>:",
		"Quoting Samizdat <judge@example.net>:",
		"Zitat von Samizdat <judge@example.net>:",
		"---- On Sat, 21 Nov 2026 10:02:00 +0100 Samizdat <judge@example.net> wrote ---",
		"-----Samizdat <judge@example.net> wrote: -----",
		"Saturday, November 21, 2026, 10:02:00 AM, you wrote:",
	} {
		if got := OrderText(line+"\n> EVENT 99\n\nEVENT 24\n", testReferee); got != "EVENT 24\n" {
			t.Errorf("%s: above a quote: %q", line, got)
		}
		if got := OrderText("EVENT 24\n\n"+line+"\n\n"+Mark+"\nEVENT 99\n", testReferee); got != "EVENT 24\n" {
			t.Errorf("%s: above a copy: %q", line, got)
		}
	}
}

func TestDividerLanguages(t *testing.T) {
	t.Parallel()
	for _, line := range []string{
		"-----Original Message-----",
		"-----Ursprüngliche Nachricht-----",
		"-----Message d'origine-----",
		"-----Message d’origine-----",
		"-----Mensaje original-----",
		"-----Oryginalna wiadomość-----",
		"-----Původní zpráva-----",
		"-----Eredeti üzenet-----",
		"-----Исходное сообщение-----",
		"-----元のメッセージ-----",
		"-----原始邮件-----",
		"-----Original Message-----",
		"-----원본 메시지-----",
		"-----Oprindelig meddelelse-----",
		"-----Opprinnelig melding-----",
		"-----Ursprungligt meddelande-----",
		"-----Mensagem original-----",
		"-----Вихідне повідомлення-----",
		"-----Оригинално съобщение-----",
		"-----Izvorna poruka-----",
		"-----הודעה מקורית-----",
		"Begin forwarded message:",
		"Начало переадресованного сообщения:",
		"転送されたメッセージ:",
		"下面是被转发的邮件：",
		"Vidarebefordrat mejl:",
		"Videresendt besked:",
		"Początek przekazanej wiadomości:",
		"A továbbított levél kezdete:",
		"|------------>",
	} {
		if got := OrderText("EVENT 24\n\n"+line+"\n"+Mark+"\nEVENT 99\n", testReferee); got != "EVENT 24\n" {
			t.Errorf("%s: %q", line, got)
		}
	}
	const unknown = "EVENT 24\n-------- แปลข้อความ --------\nหัวเรื่อง: x\nจาก: Samizdat <judge@example.net>\n\nEVENT 99\n"
	if got := OrderText(unknown, testReferee); got != "EVENT 24\n" {
		t.Errorf("a language that is not listed: %q", got)
	}
}

func TestHeaderLanguages(t *testing.T) {
	t.Parallel()
	for _, f := range [][4]string{
		{"From", "Sent", "To", "Subject"},
		{"Von", "Gesendet", "An", "Betreff"},
		{"De", "Envoyé", "À", "Objet"},
		{"De", "Enviado el", "Para", "Asunto"},
		{"From", "Sent", "To", "Subject"},
		{"Od", "Wysłane", "Do", "Temat"},
		{"Od", "Odesláno", "Komu", "Předmět"},
		{"Feladó", "Elküldve", "Címzett", "Tárgy"},
		{"От", "Отправлено", "Кому", "Тема"},
		{"差出人", "送信日時", "宛先", "件名"},
		{"发件人", "发送时间", "收件人", "主题"},
		{"寄件者", "寄件日期", "收件者", "主旨"},
		{"De", "Enviada em", "Para", "Assunto"},
		{"Van", "Verzonden", "Aan", "Onderwerp"},
		{"Från", "Skickat", "Till", "Ämne"},
		{"보낸 사람", "보낸 날짜", "받는 사람", "제목"},
		{"Kimden", "Gönderildi", "Kime", "Konu"},
		{"De la", "Trimis", "Către", "Subiect"},
		{"De\u00a0", "Envoyé\u00a0", "À\u00a0", "Objet\u00a0"},
		{"Від", "Надіслано", "Кому", "Тема"},
		{"Από", "Στάλθηκε", "Προς", "Θέμα"},
		{"От", "Изпратено", "До", "Относно"},
		{"Od", "Odoslané", "Komu", "Predmet"},
		{"Od", "Poslano", "Prima", "Predmet"},
		{"Od", "Poslano", "Za", "Zadeva"},
		{"Fra", "Sendt", "Til", "Emne"},
		{"Lähettäjä", "Lähetetty", "Vastaanottaja", "Aihe"},
		{"Nuo", "Išsiųsta", "Kam", "Tema"},
		{"מאת", "נשלח", "אל", "נושא"},
		{"من", "تم الإرسال", "إلى", "الموضوع"},
		{"Saatja", "Saadetud", "Adressaat", "Teema"},
		{"No", "Nosūtīts", "Kam", "Tēma"},
	} {
		text := "EVENT 24\n\n" + f[0] + ": Samizdat <judge@example.net>\n" + f[1] + ": 21. 11. 2026 10:02\n" + f[2] + ": ann@example.org\n" + f[3] + ": 1989\n\nEVENT 99\n"
		if got := OrderText(text, testReferee); got != "EVENT 24\n" {
			t.Errorf("%s: %q", f[0], got)
		}
	}
}

func TestClosingLanguages(t *testing.T) {
	t.Parallel()
	for _, line := range []string{
		"Outlook für iOS beziehen",
		"Holen Sie sich Outlook für iOS<https://aka.ms/o0ukef>",
		"Télécharger Outlook pour iOS",
		"Obtenez Outlook pour Android<https://aka.ms/AAb9ysg>",
		"Obtener Outlook para iOS",
		"Descargar Outlook para iOS",
		"Scarica Outlook per iOS",
		"Ottieni Outlook per Android",
		"Pobierz aplikację Outlook dla systemu iOS",
		"Uzyskaj aplikację Outlook dla systemu Android",
		"Získat Outlook pro iOS",
		"Získejte Outlook pro Android",
		"Az Outlook iOS-re letöltése",
		"Letöltés: iOS-es Outlook",
		"Outlook voor iOS downloaden",
		"Download Outlook voor Android",
		"Obter o Outlook para iOS",
		"Получить Outlook для iOS",
		"Скачать Outlook для iOS",
		"iOS 版 Outlook を入手",
		"获取 Outlook for iOS",
		"Hämta Outlook för iOS",
		"Hent Outlook til iOS",
		"Skaff deg Outlook for iOS",
		"Hanki Outlook for iOS",
		"iOS için Outlook'u edinin",
		"Získať Outlook pre iOS",
		"Get Outlook for Android<https://aka.ms/AAb9ysg>",
		"Sent from Outlook for iOS<https://aka.ms/o0ukef>",
		"Sent from Outlook for Mac",
		"Sent from Mail for Windows",
		"Sent from [Mail](https://go.microsoft.com/fwlink/?LinkId=550986) for Windows 10",
		"Sent from my iPhone",
		"Von meinem iPhone gesendet",
		"Envoyé de mon iPhone",
		"Enviado desde mi iPhone",
		"Inviato da iPhone",
		"Wysłane z iPhone'a",
		"Wysłane z iPhone’a",
		"Odesláno z iPhonu",
		"iPhone-omról küldve",
		"Az iPhone készülékemről küldve",
		"Отправлено с iPhone",
		"iPhoneから送信",
		"发自我的 iPhone",
		"從我的 iPhone 傳送",
		"나의 iPhone에서 보냄",
		"Verstuurd vanaf mijn iPhone",
		"Enviado do meu iPhone",
		"Skickat från min iPhone",
		"Sendt fra min iPhone",
		"Sendt fra min iPhone",
		"Lähetetty iPhonesta",
		"iPhone'umdan gönderildi",
		"Στάλθηκε από το iPhone μου",
		"Odoslané z môjho iPhonu",
		"Trimis de pe iPhone-ul meu",
		"Надіслано з iPhone",
		"Poslano s mog iPhonea",
		"נשלח מה-iPhone שלי",
		"Enviat des del meu iPhone",
		"ส่งจาก iPhone ของฉัน",
		"Đã gửi từ iPhone của tôi",
		"Изпратено от моя iPhone",
		"Poslano iz mojega iPhona",
		"Išsiųsta iš mano iPhone",
		"Verzonden vanuit Outlook voor iOS",
		"Verstuurd vanuit Outlook voor Android<https://aka.ms/AAb9ysg>",
		"أ\u064fرسلت من الـ iPhone",
		"أرسلت من الـ iPad",
		"Gesendet von Outlook für iOS",
		"Envoyé à partir de Outlook pour iOS",
		"Enviado desde Outlook para Android",
		"Inviato da Outlook per iOS",
		"Wysłane z aplikacji Outlook dla systemu iOS",
		"Odesláno z Outlooku pro iOS",
		"Odoslané z Outlooku pre iOS",
		"Enviado do Outlook para iOS",
		"Skickat från Outlook för iOS",
		"Sendt fra Outlook til Android",
		"Lähetetty Outlook for iOS:stä",
		"Trimis din Outlook pentru iOS",
		"iOS 版 Outlook から送信",
		"iOS용 Outlook에서 보냄",
		"发送自 iOS 版 Outlook",
		"Sent from Yahoo Mail for iPhone",
		"ᐧ",
		"Virus-free. www.avast.com",
		"[EXTERNAL]",
		"나의 Galaxy에서 보냄",
		"Отправлено с устройства Galaxy",
		"CAUTION: This email originated from outside of the organization. Do not click links or open attachments unless you recognize the sender.",
	} {
		if got := OrderText("EVENT 24\n\n"+line+"\n", testReferee); got != "EVENT 24\n" {
			t.Errorf("%s: %q", line, got)
		}
	}
}

// TestOwnLinesStay: what a person may write, and looks like any of the above.
func TestOwnLinesStay(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"My orders of 21.11.2026 10:02:\nEVENT 24\n",
		"----- my orders -----\nRound one: EVENT 24\nRound two: EVENT 25\n",
		"IF Gdansk MINE: EVENT 24\nIF Lodz THEIRS: EVENT 25\nNEXT IF VP 3: PASS\n",
		"MESSAGE\nIt is 10:30 here.\nWrite to bob@example.com: he knows\nFrom: me\nTo: you\nEND MESSAGE\n",
		"I now have Outlook at work\nEVENT 24\n",
		"From my iPad at last\nEVENT 24\n",
		"External help: none\nEVENT 24\n",
		"| EVENT 24\n",
		"A> EVENT 24\n",
		"----------\nEVENT 24\n",
		"We never use -----BEGIN PGP MESSAGE----- here\nEVENT 24\n",
		"On 21 November at 10:00 I play:\nEVENT 24\n",
	} {
		if got := OrderText(text, testReferee); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}
